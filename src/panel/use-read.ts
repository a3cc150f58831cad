import {
  keepPreviousData,
  type QueryClient,
  type QueryFilters,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import { ask, type Call } from './api.ts';

type Settings = {
  readonly isWanted?: boolean;
  /** Whether the answer to the former call stays until the one to this call is there. */
  readonly isKept?: boolean;
};

/** Reads the answer to a call, and again after each command. */
export const useRead = <Data>(
  call: Call<Data>,
  { isWanted = true, isKept = false }: Settings = {},
): UseQueryResult<Data> =>
  useQuery<Data>({
    queryKey: [call.operation, call.input],
    queryFn: () => ask(call),
    enabled: isWanted,
    ...(isKept ? { placeholderData: keepPreviousData } : {}),
  });

/** All but the session itself. */
const SHOWN: QueryFilters = { predicate: ({ queryKey }) => queryKey[0] !== 'session' };

/** Reads anew all that is shown. A first answer that is still on its way may be older than a command: it is dropped. */
export const readAgain = async (client: QueryClient): Promise<void> => {
  await client.cancelQueries(SHOWN);
  await client.invalidateQueries(SHOWN);
};
