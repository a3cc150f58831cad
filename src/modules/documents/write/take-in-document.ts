import type { Readable } from 'node:stream';
import { GatewayError } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { NewId } from '../../../kernel/ids.ts';
import type { OwnTransaction, Transact } from '../../../platform/write-store/transaction.ts';
import { createInspection, type DocumentContent } from './document-content.ts';
import type { DocumentFiles, DocumentSecret } from './document-files.store.ts';
import { DOCUMENT_LIMIT, type DocumentId, hasRoom } from './kept-document.ts';
import { documentLimitReached } from './refusals.ts';

/** A document in the client's words, with the content as it was found. */
export type GivenDocument<Type> = {
  readonly type: Type;
  readonly fileName: string;
  readonly content: DocumentContent;
};

/** Reads an upload; the content is handed to `store` while it arrives. */
export type ReadUpload<Type> = (
  store: (content: Readable) => Promise<DocumentContent>,
) => Promise<GivenDocument<Type>>;

export type TakingIn = {
  readonly transact: Transact;
  readonly newId: NewId;
  readonly files: Pick<DocumentFiles, 'put' | 'discard' | 'usage' | 'count'>;
};

/**
 * Takes a document of an owner in: its bytes first, sealed and checked, then its record by `add`. 413 and 415 by the
 * content, 422 DOCUMENT_LIMIT_REACHED.
 */
export const takeInDocument = async <Type, D>(
  deps: TakingIn,
  ownerId: string,
  read: ReadUpload<Type>,
  add: (
    tx: OwnTransaction,
    given: GivenDocument<Type>,
    id: DocumentId,
    secret: DocumentSecret | undefined,
  ) => Promise<D>,
  context: CommandContext,
): Promise<D> => {
  if (!hasRoom(await deps.files.usage(ownerId), 0)) throw documentLimitReached(DOCUMENT_LIMIT);
  const id = deps.newId('doc');
  let stored: Promise<DocumentSecret> | null = null;
  try {
    // The bytes first: a crash in between leaves a file that nobody knows, never a document without its bytes.
    const given = await read(async (bytes) => {
      const inspection = createInspection();
      stored = deps.files.put(id, inspection.pass(bytes));
      await stored;
      return inspection.result();
    });
    const secret = await stored;
    return await deps.transact.alone(context, async (tx) => {
      await deps.files.count(tx, ownerId, given.content.size);
      return add(tx, given, id, secret ?? undefined);
    });
  } catch (error) {
    // After any other error the document may have been stored; a file without one is found and deleted later.
    if (error instanceof GatewayError && error.statusCode < 500)
      await Promise.resolve(stored).then(
        (secret) => secret && deps.files.discard(secret),
        () => undefined,
      );
    throw error;
  }
};
