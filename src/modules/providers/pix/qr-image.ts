import { toDataURL } from 'qrcode';

/** A payload as the data URL of a PNG image that a payer's phone can scan. */
export const qrImage = (payload: string): Promise<string> =>
  toDataURL(payload, { errorCorrectionLevel: 'M' });
