import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { Schemas } from '../client/client.ts';
import { ask, call } from './api.ts';

export type SavedView = Schemas['SavedView'];

const KEY = ['saved-views'];
/** Only this user changes them, so that other windows may be behind for a while. */
const COUNT_FOR_MS = 600_000;
const SCREEN = /^[a-z][a-z-]*(?:\/[a-z-]+)*$/;

/** The views of the list at this address, and the ways to change them; none where an id is part of it. */
export const useSavedViews = () => {
  const [path] = useLocation();
  const screen = path.slice(1);
  const client = useQueryClient();
  const isKept = SCREEN.test(screen);
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: () => ask(call('listSavedViews')),
    staleTime: COUNT_FOR_MS,
    enabled: isKept,
  });
  const readAgain = () => client.invalidateQueries({ queryKey: KEY });
  const save = useMutation({
    mutationFn: (view: { readonly name: string | null; readonly query: string }) =>
      ask(call('saveView', { body: { screen, ...view } })),
    onSuccess: readAgain,
  });
  const remove = useMutation({
    mutationFn: (id: string) => ask(call('removeView', { path: { id } })),
    onSuccess: readAgain,
  });
  const views = (data?.data ?? []).filter((view) => view.screen === screen);
  return { isKept, screen, views, save, remove };
};

/** The columns of a list that are chosen: those of the address, or those that the user chose last. */
export const useColumns = (params: URLSearchParams) => {
  const { isKept, views, save } = useSavedViews();
  const last = views.find(({ name }) => name === null)?.query ?? '';
  const asked = params.get('columns') ?? new URLSearchParams(last).get('columns') ?? '';
  return {
    chosen: asked.split(','),
    remember: (columns: string): void => {
      if (isKept) save.mutate({ name: null, query: columns === '' ? '' : `columns=${columns}` });
    },
  };
};
