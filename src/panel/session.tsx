import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { type Me, readMe, resume, whenSessionEnds } from './api.ts';
import { setTimeZone } from './format.ts';
import { noteEnvironment } from './last-environment.ts';
import { forget } from './recent.ts';

export type { Me } from './api.ts';

export type Permission = Me['permissions'][number];

type Session = {
  readonly me: Me | null;
  /** Whether it is still being found out, and what keeps it from that. */
  readonly isStarting: boolean;
  readonly startError: unknown;
  readonly hasEnded: boolean;
  /** Tells that somebody has signed in or out. */
  changed(): Promise<void>;
};

const Context = createContext<Session | null>(null);

export const SessionProvider = ({ children }: { readonly children: ReactNode }) => {
  const client = useQueryClient();
  const [me, setMe] = useState<Me | null>(null);
  const show = (now: Me | null): void => {
    setTimeZone(now?.merchant?.timeZone);
    if (now) noteEnvironment(now.livemode);
    setMe(now);
  };
  const [hasEnded, setHasEnded] = useState(false);
  const start = useQuery({
    queryKey: ['session'],
    queryFn: async () => {
      show(await resume());
      return true;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => whenSessionEnds(() => setHasEnded(true)), []);
  const session: Session = {
    me,
    isStarting: start.isPending,
    startError: start.error,
    hasEnded,
    async changed() {
      const now = await readMe();
      // Another person, or the other environment, sees nothing of what was here before.
      if (now?.id !== me?.id || now?.livemode !== me?.livemode) {
        client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
        forget();
      }
      show(now);
      setHasEnded(false);
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    },
  };
  return <Context value={session}>{children}</Context>;
};

export const useSession = (): Session => {
  const session = useContext(Context);
  if (!session) throw new Error('there is no session around');
  return session;
};

/** The signed-in user; for screens, which nobody else sees. */
export const useMe = (): Me => {
  const { me } = useSession();
  if (!me) throw new Error('nobody is signed in');
  return me;
};

/** Whether a user may do something. */
export const may = (me: Me, permission: Permission): boolean => me.permissions.includes(permission);

/** Whether there are records of several merchants: operators see all, masters those of their sub-merchants. */
export const seesSeveral = ({ merchant }: Me): boolean =>
  merchant === null || merchant.role === 'MerchantMaster';
