import type { Command } from '../../../kernel/event.ts';
import type { MerchantId, NewId } from '../../../kernel/ids.ts';
import type { Transact } from '../../../platform/write-store/transaction.ts';
import type { CreateUser } from './create-user.ts';
import type { Passwords } from './passwords.ts';
import type { User } from './user.ts';

/**
 * Creates a merchant's user for the demonstration. Its password is no secret and need not be changed at the first
 * login.
 */
type CreateDemoUser = Command<
  {
    readonly email: string;
    readonly name: string;
    readonly password: string;
    readonly merchantId: MerchantId;
    readonly groups: readonly string[];
  },
  User
>;

export const createDemoUserHandler =
  (deps: {
    readonly transact: Transact;
    readonly createUser: (transact: Transact) => CreateUser;
    readonly passwords: Passwords;
    readonly newId: NewId;
  }): CreateDemoUser =>
  async ({ password, ...user }, context) => {
    const passwordHash = await deps.passwords.hash(password, null);
    const prepared = { ...user, disabled: false, id: deps.newId('usr'), passwordHash };
    return deps.createUser(deps.transact)(prepared, context);
  };
