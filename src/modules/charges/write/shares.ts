import type { MerchantId } from '../../../kernel/ids.ts';
import { type Minor, sum } from '../../../kernel/money.ts';
import type { SettlementStage } from '../../ledger/write/journal.ts';
import type { Charge } from './charge.ts';

/** Shares of a charge's participants in its net amount, the originator first. */
export const sharesOf = ({
  merchantId,
  net,
  split,
}: Pick<Charge, 'merchantId' | 'net' | 'split'>): readonly {
  readonly merchantId: MerchantId;
  readonly amount: Minor;
}[] => {
  const parts = split ?? [];
  return [{ merchantId, amount: net - sum(parts.map((part) => part.amount)) }, ...parts];
};

/** Part number `part`, from 1, of a share: the parts are equal, odd cents in the first. */
export const partOf = (share: Minor, parts: number, part: number): Minor => {
  const equal = Math.floor(share / parts);
  return part === 1 ? share - equal * (parts - 1) : equal;
};

/** Amount of a share that is still reserved; nothing once the charge was given back. */
export const unsettled = (share: Minor, { parts, settled }: SettlementStage): Minor =>
  settled === 0 ? share : partOf(share, parts, 2) * (parts - settled);
