import { errors, Transport } from '@elastic/elasticsearch';

type Shards = { readonly total: number; readonly successful: number };
type Answer = { readonly _shards?: Shards; readonly responses?: readonly Answer[] };

/** Requests whose answer is combined from several shards. */
const PUT_TOGETHER = ['search', 'count', 'msearch'];

const isShort = ({ _shards, responses = [] }: Answer): boolean =>
  (_shards !== undefined && _shards.successful < _shards.total) || responses.some(isShort);

/** Rejects answers in which a shard is missing, because a shorter list or a lower count would look like the truth. */
export class WholeAnswers extends Transport {
  /** Its return type fits all overloads of the method that it overrides. */
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
