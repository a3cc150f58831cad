import { openFilesWarning } from './open-files.ts';

it('a limit of open files below the connections that the settings promise is said, with both numbers', () => {
  expect(openFilesWarning({ maxConnections: 2_000 }, 1_024)).toMatch(
    /1024 .*MAX_CONNECTIONS=2000 needs 2300/,
  );
  expect(openFilesWarning({ maxConnections: 2_000 }, 2_300)).toBeNull();
  expect(openFilesWarning({ maxConnections: 2_000 }, null)).toBeNull();
});

it('the limit of this process is known', () => {
  expect(openFilesWarning({ maxConnections: Number.MAX_SAFE_INTEGER / 2 })).toMatch(/may open \d+ files/);
});
