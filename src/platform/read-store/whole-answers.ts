import { errors, Transport } from '@elastic/elasticsearch';

type Shards = { readonly total: number; readonly successful: number };
type Answer = { readonly _shards?: Shards; readonly responses?: readonly Answer[] };

/** Requests whose answer is put together from shards. */
const PUT_TOGETHER = ['search', 'count', 'msearch'];

const isShort = ({ _shards, responses = [] }: Answer): boolean =>
  (_shards !== undefined && _shards.successful < _shards.total) || responses.some(isShort);

/** Lets no answer pass that a shard is missing from: a shorter list or count would look like the truth. */
export class WholeAnswers extends Transport {
  /** Answers what the caller's type says, as all forms of the function that it takes the place of. */
  override async request(...args: Parameters<Transport['request']>): Promise<never> {
    const answer: unknown = await super.request(...args);
    const [{ meta }, options] = args;
    const body = (options?.meta ? (answer as { readonly body: unknown }).body : answer) as Answer | null;
    if (PUT_TOGETHER.includes(meta?.name ?? '') && body && isShort(body)) throw shardMissing();
    return answer as never;
  }
}

const shardMissing = () =>
  new errors.ResponseError({
    statusCode: 503,
    headers: {},
    warnings: null,
    body: { error: { type: 'shard_missing', reason: 'a shard did not answer' }, status: 503 },
    meta: {} as never,
  });
