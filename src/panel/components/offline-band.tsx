import { onlineManager, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { formatClock } from '../format.ts';
import { readAgain } from '../use-read.ts';
import { t } from '../words.ts';

const SAID_FOR_MS = 8_000;

/** Says that the window is offline and since when; once it is back, everything is read again. */
export const OfflineBand = () => {
  const isOnline = useSyncExternalStore(
    (listen) => onlineManager.subscribe(listen),
    () => onlineManager.isOnline(),
  );
  const client = useQueryClient();
  const [isBack, setBack] = useState(false);
  const left = useRef<Date | null>(null);
  if (!isOnline) left.current ??= new Date();
  useEffect(() => {
    if (!isOnline) return setBack(false);
    if (left.current === null) return;
    left.current = null;
    setBack(true);
    void readAgain(client);
    const timer = setTimeout(() => setBack(false), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [isOnline, client]);
  return (
    <div className="live" role="status">
      {left.current !== null && (
        <p className="band">
          <strong>{t('You are offline.')}</strong>{' '}
          {t('You see what was there at {time}. What you type stays, and nothing is sent by itself.', {
            time: formatClock(left.current),
          })}{' '}
          {t('The screen goes on by itself once you are back.')}
        </p>
      )}
      {isBack && <p className="band back">{t('You are back online. Everything is read again.')}</p>}
    </div>
  );
};
