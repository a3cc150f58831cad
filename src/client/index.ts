export * from './client.ts';
export * from './webhooks.ts';
