import type { Readable } from 'node:stream';
import { GatewayError } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { NewId } from '../../../kernel/ids.ts';
import type { OwnTransaction, Transact } from '../../../platform/write-store/transaction.ts';
import { createInspection, type DocumentContent } from './document-content.ts';
import type { DocumentFiles, DocumentSecret } from './document-files.store.ts';
import { DOCUMENT_LIMIT, type DocumentId, hasRoom } from './kept-document.ts';
import { documentLimitReached } from './refusals.ts';

/** A document as the client describes it, with the facts found in its content. */
export type GivenDocument<Type> = {
  readonly type: Type;
  readonly fileName: string;
  readonly content: DocumentContent;
};

/** Reads an upload and hands its content to `store` while it arrives. */
export type ReadUpload<Type> = (
  store: (content: Readable) => Promise<DocumentContent>,
) => Promise<GivenDocument<Type>>;

export type TakingIn = {
  readonly transact: Transact;
  readonly newId: NewId;
  readonly files: Pick<DocumentFiles, 'put' | 'discard' | 'usage' | 'count'>;
};

/**
 * Stores a document of an owner: first its bytes, sealed and inspected, then its record by `add`. 413 or 415 for the
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
    // The bytes come first, so that a crash in between leaves a file without a document, but never a document without
    // its bytes.
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
    // After any other error the document may have been stored. A file without a document is found and deleted later.
    if (error instanceof GatewayError && error.statusCode < 500)
      await Promise.resolve(stored).then(
        (secret) => secret && deps.files.discard(secret),
        () => undefined,
      );
    throw error;
  }
};
