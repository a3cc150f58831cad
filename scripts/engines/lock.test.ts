import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, type Lock, processId, readLock, takeLock } from './lock.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const take = (state: string) => takeLock<string>(dir, 'test', state) as Lock<string>;
const leftBy = (owner: object) =>
  writeFileSync(join(dir, 'test.4.json'), JSON.stringify({ owner, state: 'left' }));

test('a lock that a live process holds names that process', () => {
  take('first');
  expect(takeLock(dir, 'test', 'second')).toEqual(processId(process.pid));
});

test('a lock that was given back can be taken, and tells what was left', () => {
  take('first').release('done');
  expect(take('second').previous).toBe('done');
});

test('the lock of a process that has ended is taken over, with its leftovers', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  leftBy({ pid, started: 'yesterday' });
  expect(take('mine').previous).toBe('left');
  expect(readdirSync(dir)).toEqual(['test.5.json']);
});

test('a pid that belongs to another process by now does not hold the lock', () => {
  leftBy({ pid: process.pid, started: 'yesterday' });
  expect(take('mine').previous).toBe('left');
});

test('others read what the owner writes', () => {
  take('first').write('ready');
  const held = readLock<string>(dir, 'test');
  expect(held?.state).toBe('ready');
  expect(held?.owner && isAlive(held.owner)).toBe(true);
});
