import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { ApiError } from './api.ts';
import { App } from './app.tsx';
import './panel.css';
import { SessionProvider } from './session.tsx';
import { locale } from './words.ts';

const ATTEMPTS = 3;

const client = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => error instanceof ApiError && error.isPassing && count < ATTEMPTS,
      staleTime: 5_000,
    },
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
