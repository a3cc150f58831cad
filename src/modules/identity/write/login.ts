import { unauthorized } from '../../../kernel/errors.ts';
import type { Actor, Command, CommandContext } from '../../../kernel/event.ts';
import type { MerchantId, UserId } from '../../../kernel/ids.ts';
import type { PendingSetup } from '../../../kernel/principal.ts';
import { networkNotAllowed } from '../../../platform/http/refusals.ts';
import type { ReadInTime } from '../../../platform/in-time.ts';
import { isWithin } from '../../../platform/networks.ts';
import type { KeyRing } from '../../../platform/secrets.ts';
import type { RecordAudit } from '../../../platform/write-store/record-audit.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import type { CheckCode } from './check-code.ts';
import type { IdentityStore, UserWithSecret } from './identity.store.ts';
import type { LimitLogin } from './login-limit.ts';
import type { Passwords } from './passwords.ts';
import { environmentNotAvailable } from './refusals.ts';
import { isTotp } from './second-factor.ts';
import { openSession, pendingSetupOf } from './session.ts';
import type { SessionsStore } from './sessions.store.ts';
import { type IssuedTokens, issueTokens } from './tokens.ts';
import { isPasswordOver, logIn, normalizeEmail, USERS, type User } from './user.ts';

type LoginCommand = {
  readonly email: string;
  readonly password: string;
  /** Code of the second factor; null where none is given. */
  readonly code: string | null;
  readonly livemode: boolean;
  /** Whether the client wants a refresh cookie. */
  readonly refresh: boolean;
  readonly address: string;
  readonly userAgent: string | null;
};
/** Why a login failed. The audit log has it, but the answer does not tell. */
type LoginFault =
  | 'unknown_user'
  | 'wrong_password'
  | 'disabled'
  | 'one_time_password_expired'
  | 'network_not_allowed'
  | 'wrong_code';
export type LoggedIn = { readonly issued: IssuedTokens; readonly pending: PendingSetup | null };
/**
 * Opens a session. 401 for wrong credentials and for disabled users alike, and 401 SECOND_FACTOR_REQUIRED where only
 * the code is missing; 403 NETWORK_NOT_ALLOWED from outside the user's networks; 429 after repeated failures.
 */
export type Login = Command<LoginCommand, LoggedIn>;

const NOBODY: UserId = 'usr_nobody';

export const createLogin = (
  deps: Creating & {
    readonly recordAudit: RecordAudit;
    readonly identityStore: Pick<IdentityStore, 'findUserWithSecret'>;
    readonly sessions: Pick<SessionsStore, 'insert' | 'isKnownAddress'>;
    readonly readInTime: ReadInTime;
    readonly findMerchant: (id: MerchantId) => Promise<Merchant | null>;
    readonly passwords: Passwords;
    readonly limitLogin: LimitLogin;
    readonly checkCode: CheckCode;
    readonly jwtKeys: KeyRing;
    readonly requireSecondFactor: boolean;
  },
): Login => {
  const faultOf = async (
    found: UserWithSecret | null,
    { password, code, address }: LoginCommand,
  ): Promise<LoginFault | null> => {
    const isRight = await deps.passwords.verify(found?.secret.passwordHash ?? null, password, address);
    if (!found) return 'unknown_user';
    if (!isRight) return 'wrong_password';
    if (found.user.disabled) return 'disabled';
    if (isPasswordOver(found.user, deps.clock())) return 'one_time_password_expired';
    // The network is checked before the code, because a code works only once.
    if (!isWithin(found.user.allowedNetworks, address)) return 'network_not_allowed';
    if (!found.user.secondFactor) return null;
    // Thrown rather than returned, so that it neither counts as a failure nor clears former ones.
    if (code === null) throw unauthorized('SECOND_FACTOR_REQUIRED');
    return (await deps.checkCode(found, code)) ? null : 'wrong_code';
  };

  /** The user whose credentials these are; null for wrong ones, after the audit log has got the failure. */
  const check = async (
    found: UserWithSecret | null,
    command: LoginCommand,
    context: CommandContext,
  ): Promise<User | null> => {
    const fault = await faultOf(found, command);
    if (found && fault === null) return found.user;
    const resourceId = found?.user.id ?? 'unknown';
    const failure = { type: 'user.login_failed', resource: USERS.resource, resourceId, livemode: null };
    await deps.recordAudit(context, { ...failure, details: { fault } });
    // Only somebody who knows the password gets this answer, and it does not count as a failure.
    if (fault === 'network_not_allowed') throw networkNotAllowed();
    return null;
  };

  return async (command, context) => {
    const { livemode, address } = command;
    const email = normalizeEmail(command.email);
    const { found, isKnown } = await deps.readInTime(async () => {
      const user = await deps.identityStore.findUserWithSecret({ email });
      // Failures elsewhere do not lock a user out at an address of former logins. The address is looked up for unknown
      // users as well, so that time does not tell whether a user exists.
      return { found: user, isKnown: await deps.sessions.isKnownAddress(user?.user.id ?? NOBODY, address) };
    });
    const user = await deps.limitLogin({ account: email, address, isKnown }, () =>
      check(found, command, context),
    );
    if (!user) throw unauthorized('CREDENTIALS_INVALID');
    const merchant = user.merchantId === null ? null : await deps.findMerchant(user.merchantId);
    if (merchant && merchant.livemode !== null && merchant.livemode !== livemode)
      throw environmentNotAvailable();
    const now = deps.clock();
    const id = deps.newId('ses');
    const session = await deps.transact.alone({ ...context, actor: actorOf(user) }, async (tx) => {
      const present = await tx.get(USERS, user.id);
      // The credentials may have been changed since they were checked.
      if (present?.credentialsVersion !== user.credentialsVersion) throw unauthorized('CREDENTIALS_INVALID');
      const opened = openSession(present, command, id, now);
      await tx.record(USERS, present, logIn(present, now));
      await deps.sessions.insert(opened, tx.session);
      if (user.secondFactor && command.code !== null && !isTotp(command.code))
        await tx.audit({
          type: 'user.recovery_code_used',
          resource: USERS.resource,
          resourceId: user.id,
          livemode: null,
        });
      return opened;
    });
    const issued = await issueTokens(deps.jwtKeys, session, now);
    return { issued, pending: pendingSetupOf(user, deps.requireSecondFactor) };
  };
};

const actorOf = (user: User): Actor => ({
  kind: user.merchantId === null ? 'operator' : 'user',
  id: user.id,
});
