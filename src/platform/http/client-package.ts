import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../project-folder.ts';

/** The TypeScript client, packed so that npm can install it. */
export type ClientPackage = { readonly version: string; readonly content: Buffer };

/** Reads the packed client; null where it was not built. */
export const readClientPackage = (folder = projectFolder('dist/client')): ClientPackage | null => {
  const archive = join(folder, 'portico-client.tgz');
  if (!existsSync(archive)) return null;
  const { version } = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'));
  return { version, content: readFileSync(archive) };
};
