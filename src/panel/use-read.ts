import { type QueryClient, type QueryFilters, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { ask, type Call } from './api.ts';

/** Reads the answer to a call, and again after each command. */
export const useRead = <Data>(call: Call<Data>, isWanted = true): UseQueryResult<Data> =>
  useQuery<Data>({
    queryKey: [call.operation, call.input],
    queryFn: () => ask(call),
    enabled: isWanted,
  });

/** All but the session itself. */
const SHOWN: QueryFilters = { predicate: ({ queryKey }) => queryKey[0] !== 'session' };

/** Reads anew all that is shown. A first answer that is still on its way may be older than a command: it is dropped. */
export const readAgain = async (client: QueryClient): Promise<void> => {
  await client.cancelQueries(SHOWN);
  await client.invalidateQueries(SHOWN);
};
