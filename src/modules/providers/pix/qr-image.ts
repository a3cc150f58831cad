import { toDataURL } from 'qrcode';

/** Bytes of the largest QR code with this level of error correction (ISO/IEC 18004, version 40). */
const MAX_BYTES = 2_331;

/** A payload as the data URL of a PNG image that a payer's phone can scan; null where no QR code can hold it. */
export const qrImage = async (payload: string): Promise<string | null> =>
  payload === '' || Buffer.byteLength(payload) > MAX_BYTES
    ? null
    : toDataURL(payload, { errorCorrectionLevel: 'M' });
