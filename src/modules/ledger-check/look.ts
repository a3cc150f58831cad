import { GatewayError } from '../../kernel/errors.ts';
import { isStoreAtFault } from '../../platform/write-store/mongo.ts';
import { type Check, type Finding, prefixOf, type Thoroughness } from './check.ts';

/**
 * Called with the kind of the records that are being checked and how many were checked so far. An error that it throws
 * ends the check.
 */
export type Progress = (what: string, count: number) => void;

/**
 * Checks every record of every check: a sweep over all of them first, then a closer look at the doubtful ones. It
 * yields at least once for each batch of records, so that the caller can rest there.
 */
export async function* lookAtEverything(
  checks: readonly Check[],
  progress: Progress,
): AsyncGenerator<readonly Finding[]> {
  for (const check of checks) {
    let checked = 0;
    for await (const records of check.records(null)) {
      yield* look(check, records, 'sweep');
      yield [];
      checked += records.length;
      progress(check.what, checked);
    }
  }
  for (const check of checks)
    for await (const records of check.doubtful()) {
      yield* look(check, records, 'whole');
      progress(`${check.what} in doubt`, records.length);
    }
}

/** Checks the records with these ids, and the records that may be wrong because these changed. */
export async function* lookAt(
  checks: readonly Check[],
  ids: readonly string[],
): AsyncGenerator<readonly Finding[]> {
  const named = await recordsOf(checks, ids);
  const known = new Set(ids);
  const others = [...named].flatMap(([check, batches]) =>
    batches.flat().flatMap((record) => check.leadsTo(record).filter((id) => !known.has(id))),
  );
  const led = await recordsOf(checks, [...new Set(others)]);
  for (const check of checks)
    for (const records of [...(named.get(check) ?? []), ...(led.get(check) ?? [])])
      yield* look(check, records, 'news');
}

const recordsOf = async (
  checks: readonly Check[],
  ids: readonly string[],
): Promise<ReadonlyMap<Check, readonly (readonly unknown[])[]>> => {
  const found = new Map<Check, readonly (readonly unknown[])[]>();
  for (const check of checks) {
    const own = ids.filter((id) => prefixOf(id) === check.prefix);
    if (own.length === 0) continue;
    const batches: (readonly unknown[])[] = [];
    for await (const records of check.records(own)) batches.push(records);
    found.set(check, batches);
  }
  return found;
};

/** A record that cannot be checked is itself a difference, and does not hold up the others. */
async function* look(
  check: Check,
  records: readonly unknown[],
  how: Thoroughness,
): AsyncGenerator<readonly Finding[]> {
  try {
    yield* check.look(records, how);
  } catch (error) {
    if (isStoreAtFault(error) || error instanceof GatewayError) throw error;
    const [only, ...others] = records as readonly { readonly _id: string }[];
    if (only && others.length === 0) yield [unchecked(only._id, error)];
    else for (const record of records) yield* look(check, [record], how);
  }
}

const unchecked = (id: string, error: unknown): Finding => ({
  checked: id,
  differences: [
    { kind: 'unchecked', subject: id, aspect: 'error', message: `could not be checked: ${String(error)}` },
  ],
});
