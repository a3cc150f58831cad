import { imageSize } from 'image-size';
import { GatewayError, invalidInput } from '../../../kernel/errors.ts';

/** Bytes of a logo: every view of a page for payers carries it. */
export const MAX_LOGO_BYTES = 15_000;
/** A picture of few bytes may have so many pixels that a phone cannot draw it. */
const MAX_PIXELS = 1_024;

export const LOGO_TYPES = ['image/png', 'image/jpeg'] as const;
const TYPE_OF: Readonly<Record<string, (typeof LOGO_TYPES)[number]>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
};

/**
 * A logo as a data URL (RFC 2397). The content decides its type. 413 for more than 15 kB, 415 for another kind than PNG
 * and JPEG, 400 for one of more than 1,024 pixels in a direction.
 */
export const logoOf = (content: Buffer): string => {
  if (content.length > MAX_LOGO_BYTES)
    throw new GatewayError(413, `The logo is larger than ${MAX_LOGO_BYTES} bytes`);
  const { type, width, height } = sizeOf(content);
  const contentType = TYPE_OF[type];
  if (contentType === undefined) throw new GatewayError(415, 'The logo must be a PNG or JPEG');
  if (!isDrawable(width) || !isDrawable(height))
    throw invalidInput([
      { path: 'content', message: `content must have 1 to ${MAX_PIXELS} pixels in each direction` },
    ]);
  return `data:${contentType};base64,${content.toString('base64')}`;
};

const isDrawable = (pixels: number): boolean => pixels >= 1 && pixels <= MAX_PIXELS;

const sizeOf = (
  content: Buffer,
): { readonly type: string; readonly width: number; readonly height: number } => {
  try {
    const { type = '', width, height } = imageSize(content);
    return { type, width, height };
  } catch {
    return { type: '', width: 0, height: 0 };
  }
};
