import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../src/kernel/errors.ts';
import { installEngines, lastLines, spawnGuarded } from '../engines/install.ts';
import { freePorts, mongodbIsReady } from '../engines/probe.ts';

const NAME = 'secantusd-rs';
const VERSION = '0.5.3-beta.196';
const HOW_TO_GET_IT = `${NAME} is not on the path, and STORE_BIN names no file. It takes some minutes to build:
cargo install secantus-mdb --version ${VERSION} --ignore-rust-version`;

type NativeStore = { readonly uri: string; readonly pid: number; stop(): Promise<void> };

/**
 * Starts the native build of the local write store on a folder of its own. It has no password, because it lives as long
 * as the measurement and listens on the loopback interface only.
 */
export const startNativeStore = async (
  dataDir: string,
  progress: (line: string) => void,
): Promise<NativeStore> => {
  const program = programOf(process.env.STORE_BIN, process.env.PATH ?? '');
  const { python } = await installEngines({ progress });
  const [port] = await freePorts(1);
  const folder = join(dataDir, 'native');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const log = join(dataDir, 'native.log');
  const listening = ['--host', '127.0.0.1', '--port', String(port), '--storage-path', folder];
  const storing = ['--sync-on-commit', '--cache-size', '1G', '--oplog-max-entries', '50000000'];
  // A configuration of this name in the home folder would count otherwise.
  const config = ['--config', resolve('scripts/engines/secantusd.toml')];
  const child = spawnGuarded(python, [program, ...config, ...listening, ...storing], log);
  const exit = once(child, 'exit');
  const uri = `mongodb://127.0.0.1:${port}/?directConnection=true&retryWrites=false`;
  while (!(await mongodbIsReady(uri))) {
    if (child.exitCode !== null) throw new Error(`${NAME} did not start: ${lastLines(log, 0)}`);
    await sleep(50);
  }
  return {
    uri,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await exit;
    },
  };
};

const programOf = (named: string | undefined, path: string): string => {
  const candidates = named ? [resolve(named)] : path.split(delimiter).map((folder) => join(folder, NAME));
  const found = candidates.find((file) => existsSync(file));
  if (!found) throw new ConfigError(HOW_TO_GET_IT);
  return found;
};
