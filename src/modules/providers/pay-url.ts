import { randomBytes } from 'node:crypto';

/** Address of the page of a charge. Nobody can guess it: its holder sees what is to be paid, and may pay. */
export const newPayUrl = (publicUrl: string, chargeId: string): string =>
  `${publicUrl}/pay/${chargeId}/${randomBytes(24).toString('base64url')}`;
