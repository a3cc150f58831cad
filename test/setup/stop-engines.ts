import { rmSync } from 'node:fs';

// biome-ignore lint/style/noDefaultExport: jest asks for it
export default async function stop(): Promise<void> {
  await globalThis.testEngines?.engines.stop();
  if (globalThis.testEngines) rmSync(globalThis.testEngines.dataDir, { recursive: true, force: true });
}
