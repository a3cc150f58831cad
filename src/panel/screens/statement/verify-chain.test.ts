import { createHash } from 'node:crypto';
import { NOTHING_YET, verify } from './verify-chain.ts';

/** Entries of a statement as the API shows them. */
const chainOf = (length: number) => {
  let hash = NOTHING_YET.hash;
  return Array.from({ length }, (_, index) => {
    const content = JSON.stringify([hash, 'mer_1:test:BRL', index + 1, `led_${index + 1}`, 'çã']);
    hash = createHash('sha256').update(content).digest('hex');
    return { place: index + 1, id: `led_${index + 1}`, content, hash };
  });
};

describe('verifying a statement', () => {
  it('follows it page by page', async () => {
    const entries = chainOf(5);
    const first = await verify(NOTHING_YET, entries.slice(0, 2));
    expect(await verify(first, entries.slice(2))).toEqual({ place: 5, hash: entries[4]?.hash, fault: null });
  });

  it('names an entry whose content was changed', async () => {
    const entries = chainOf(5).map((entry) =>
      entry.place === 3 ? { ...entry, content: entry.content.replace('çã', 'ca') } : entry,
    );
    expect((await verify(NOTHING_YET, entries)).fault).toEqual({ place: 3, id: 'led_3' });
  });

  it('names an entry that was computed anew but hangs on another one', async () => {
    const entries = chainOf(5);
    const content = JSON.stringify(['f'.repeat(64), 'mer_1:test:BRL', 4, 'led_4', 'çã']);
    const forged = {
      place: 4,
      id: 'led_4',
      content,
      hash: createHash('sha256').update(content).digest('hex'),
    };
    const { fault } = await verify(NOTHING_YET, entries.with(3, forged));
    expect(fault).toEqual({ place: 4, id: 'led_4' });
  });

  it('names the place of an entry that is missing', async () => {
    const entries = chainOf(5).toSpliced(1, 1);
    expect((await verify(NOTHING_YET, entries)).fault).toEqual({ place: 2, id: null });
  });
});
