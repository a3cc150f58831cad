import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { isPassing } from './api.ts';
import { App } from './app.tsx';
import './panel.css';
import { SessionProvider } from './session.tsx';
import { locale } from './words.ts';

/** A store that is down is asked again until it is back. */
const ASK_AGAIN_MS = 5_000;

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // The client itself repeats a request where the gateway says that it may.
      retry: false,
      refetchInterval: ({ state }) => (isPassing(state.error) ? ASK_AGAIN_MS : false),
      staleTime: 5_000,
    },
    // A command fails at once where there is no network: sent by itself later, it would come as a surprise.
    mutations: { networkMode: 'always' },
  },
});

document.documentElement.lang = locale;
const root = document.getElementById('panel');
if (!root) throw new Error('the page has no place for the panel');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Router base="/panel">
        <SessionProvider>
          <App />
        </SessionProvider>
      </Router>
    </QueryClientProvider>
  </StrictMode>,
);
