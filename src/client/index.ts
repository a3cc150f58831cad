export * from './card-fields.ts';
export * from './client.ts';
export * from './webhooks.ts';
