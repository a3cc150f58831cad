/** The bytes of standard Base64 (RFC 4648, section 4), padded or not; null for anything else. */
export const decodeBase64 = (text: string): Buffer | null => {
  const bytes = Buffer.from(text, 'base64');
  // Decoding skips unknown characters, so a text is valid only if encoding the result gives the same text.
  const padded = bytes.toString('base64');
  return text === padded || text === withoutPadding(padded) ? bytes : null;
};

/**
 * Removes the padding. The pattern would take quadratic time on a client's text with many `=`, but an encoded text ends
 * with two at most.
 */
const withoutPadding = (padded: string): string => padded.replace(/=+$/, '');

/** Decodes Base64 that arrives in pieces; null as soon as a piece is invalid. */
export const createBase64Decoder = () => {
  let rest = '';
  let isPadded = false;
  const decode = (text: string): Buffer | null => {
    if (isPadded && text !== '') return null;
    isPadded ||= text.endsWith('=');
    return decodeBase64(text);
  };
  return {
    push(piece: string): Buffer | null {
      const text = rest + piece;
      const whole = text.length - (text.length % 4);
      rest = text.slice(whole);
      return decode(text.slice(0, whole));
    },
    end: (): Buffer | null => decode(rest),
  };
};
