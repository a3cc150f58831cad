import type { Db } from 'mongodb';
import type { Renewal } from '../../../platform/renewal.ts';
import { type KeyRing, seal, unseal } from '../../../platform/secrets.ts';
import { USERS, type UserSecret } from './user.ts';

/** Seals the secrets of second factors anew. */
export const createSecondFactorRenewal = (db: Db, sealing: KeyRing): Renewal => ({
  what: 'second factors',
  async run() {
    const users = db.collection<{ _id: string; secret: UserSecret }>(USERS.collection);
    let renewed = 0;
    for await (const { _id, secret } of users.find({}, { projection: { secret: 1 } })) {
      const sealed = secret.secondFactor?.sealedSecret;
      if (!sealed || sealed.keyId === sealing.current.id) continue;
      // A secret that was replaced in between stays as it is.
      const { modifiedCount } = await users.updateOne(
        { _id, 'secret.secondFactor.sealedSecret.nonce': sealed.nonce },
        { $set: { 'secret.secondFactor.sealedSecret': seal(sealing, unseal(sealing, sealed)) } },
      );
      renewed += modifiedCount;
    }
    return { renewed, left: [] };
  },
});
