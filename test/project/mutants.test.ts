import { readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';
import { MODEL_MUTANTS, PROGRAM_MUTANTS } from '../model/mutants.ts';
import { MUTANTS } from '../simulation/mutants/mutants.ts';

it.each([...MUTANTS, ...MODEL_MUTANTS, ...PROGRAM_MUTANTS].map((one) => [one.name, one] as const))(
  'the planted bug "%s" still has its place, and leaves something that can be built',
  (_, { file, text, instead }) => {
    const source = readFileSync(file, 'utf8');
    expect(source.split(text)).toHaveLength(2);
    if (file.endsWith('.ts'))
      parseSync(
        source.replace(text, () => instead),
        { syntax: 'typescript' },
      );
  },
);
