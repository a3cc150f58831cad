import { pick } from '../../../kernel/pick.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';

/** A sub-merchant as the API answers it, made from its record or from the view of merchants. */
export const presentSubmerchant = (merchant: Merchant) =>
  pick(
    merchant,
    'id',
    'version',
    'masterId',
    'livemode',
    'legalName',
    'email',
    'companyTaxId',
    'phone',
    'address',
    'status',
    'statusReason',
    'postbackUrl',
    'createdAt',
    'updatedAt',
  );
