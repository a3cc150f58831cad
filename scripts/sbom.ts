import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { namedSbom } from './dependencies/named-sbom.ts';

/** Prints the packages that run in production, as CycloneDX. */
const ASKED = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev'];
const listed = execFileSync('npm', ASKED, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
process.stdout.write(namedSbom(listed, JSON.parse(readFileSync('package.json', 'utf8')).name));
