import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAMES = ['JWT_SECRET', 'SECRETS_KEY', 'KEY_PEPPER'] as const;

type Secrets = Readonly<Record<(typeof NAMES)[number], string>>;

/** Secrets of a development installation, which are created at the first start and stored in `dataDir`. */
export const developmentSecrets = (dataDir: string): Secrets => {
  const file = join(dataDir, 'secrets.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Secrets;
  const made = Object.fromEntries(NAMES.map((name) => [name, randomBytes(32).toString('base64url')]));
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(file, JSON.stringify(made, null, 2), { mode: 0o600 });
  return made as Secrets;
};
