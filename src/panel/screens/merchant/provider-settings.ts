/** Settings that a merchant's own account at a provider takes: those that it needs, and those that it may have. */
export const PROVIDER_SETTINGS: Readonly<
  Record<string, { readonly needed: readonly string[]; readonly further: readonly string[] }>
> = {
  stripe: { needed: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'], further: [] },
  'mercado-pago': { needed: ['MERCADO_PAGO_ACCESS_TOKEN', 'MERCADO_PAGO_WEBHOOK_SECRET'], further: [] },
  'pix-api': {
    needed: ['PIX_API_CLIENT_ID', 'PIX_API_KEY', 'PIX_API_CERT', 'PIX_API_CALLBACK_SECRET'],
    further: [
      'PIX_API_PROFILE',
      'PIX_API_URL',
      'PIX_API_TOKEN_URL',
      'PIX_API_CLIENT_SECRET',
      'PIX_API_CERT_KEY',
      'PIX_API_CERT_PASSWORD',
      'PIX_API_CA',
      'PIX_API_REGISTER_CALLBACK',
      'PIX_API_TOKEN_AUTH',
      'PIX_API_TOKEN_QUERY',
      'PIX_API_SCOPES',
      'PIX_API_HEADERS',
      'PIX_API_QUERY',
      'PIX_API_ADDRESSES',
      'PIX_API_ACCOUNT',
    ],
  },
};

/** Whether a value is a file, which has several lines. */
export const isFile = (setting: string): boolean => /_(CERT|CERT_KEY|CA)$/.test(setting);
