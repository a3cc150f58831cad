import { useEffect } from 'react';

/** Names the window after a screen. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Portico`;
  }, [title]);
};
