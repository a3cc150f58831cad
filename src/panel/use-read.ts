import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { ask, type Call } from './api.ts';

/** Reads the answer to a call, and again after each command. */
export const useRead = <Data>(call: Call<Data>, isWanted = true): UseQueryResult<Data> =>
  useQuery<Data>({
    queryKey: [call.operation, call.input],
    queryFn: () => ask(call),
    enabled: isWanted,
  });
