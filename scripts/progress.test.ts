import { createProgress } from './progress.ts';

it('shows more than was expected beforehand as a full bar', () => {
  const written: string[] = [];
  const write = jest
    .spyOn(process.stderr, 'write')
    .mockImplementation((text) => written.push(String(text)) > 0);
  try {
    const { update } = createProgress('charges', 10);
    for (const done of [5, 10, 30]) update(done);
  } finally {
    write.mockRestore();
  }
  expect(written.map((line) => line.replace(/ +\d+\/s.*/, '').trim())).toEqual([
    `charges ${'█'.repeat(12)}${'░'.repeat(12)} 5/10`,
    `charges ${'█'.repeat(24)} 10/10`,
    `charges ${'█'.repeat(24)} 30/10`,
  ]);
});
