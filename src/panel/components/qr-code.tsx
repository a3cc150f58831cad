import { create } from 'qrcode';

/** Modules around a QR code that stay empty (ISO/IEC 18004). */
const QUIET = 4;

/** Draws a text as a QR code. */
export const QrCode = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  const path = Array.from(data, (isDark, index) =>
    isDark ? `M${(index % size) + QUIET} ${Math.floor(index / size) + QUIET}h1v1h-1z` : '',
  ).join('');
  const side = size + 2 * QUIET;
  return (
    <svg className="qr" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label}>
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
};
