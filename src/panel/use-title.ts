import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { visit } from './recent.ts';

/** Names the window after a screen. */
export const useTitle = (title: string): void => {
  const [path] = useLocation();
  useEffect(() => {
    document.title = `${title} · Portico`;
    visit(path, title);
  }, [path, title]);
};
