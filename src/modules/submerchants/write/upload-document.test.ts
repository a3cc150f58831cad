import { Readable } from 'node:stream';
import { aMerchant, aMerchantPrincipal, countingIds, NOW } from '../../../../test/builders.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { systemContext } from '../../../kernel/event.ts';
import type { DocumentSecret } from '../../documents/write/document-files.store.ts';
import { SUBMERCHANT_DOCUMENTS } from './document.ts';
import { createUploadDocument } from './upload-document.ts';

const CHUNKS = 40;
const CHUNK = 16_384;

describe('the upload of a document', () => {
  it('goes to the store while it arrives, so that its length takes no memory', async () => {
    const store = createFakeWriteStore();
    const counted: number[] = [];
    let [arrived, kept, mostBetween] = [0, 0, 0];
    const upload = createUploadDocument({
      transact: store.transact,
      clock: () => NOW,
      newId: countingIds(),
      marketplace: {
        findSubmerchant: async () => aMerchant({ masterId: 'mer_1', livemode: false, status: 'active' }),
      } as never,
      files: {
        async put(_name, content) {
          for await (const _chunk of content) kept += 1;
          return { fileId: 'file' } as unknown as DocumentSecret;
        },
        discard: async () => undefined,
        usage: async () => ({ count: 0, bytes: 0 }),
        count: async (_tx, _id, size) => {
          counted.push(size);
        },
      },
    });
    const body = Readable.from(
      (function* () {
        for (; arrived < CHUNKS; mostBetween = Math.max(mostBetween, arrived - kept)) {
          arrived += 1;
          yield Buffer.alloc(CHUNK, arrived === 1 ? '%PDF-1.7 ' : 'x');
        }
      })(),
      { highWaterMark: 1 },
    );
    const command = {
      principal: aMerchantPrincipal(),
      id: 'mer_2',
      read: async (take: (content: Readable) => Promise<never>) => ({
        type: 'identity' as const,
        fileName: 'a.pdf',
        content: await take(body),
      }),
    };
    const added = await upload(command as never, systemContext('test'));
    expect([arrived, kept, counted]).toEqual([CHUNKS, CHUNKS, [CHUNKS * CHUNK]]);
    expect(mostBetween).toBeLessThanOrEqual(4);
    expect(store.find(SUBMERCHANT_DOCUMENTS, added.id)).toMatchObject({ size: CHUNKS * CHUNK });
  });
});
