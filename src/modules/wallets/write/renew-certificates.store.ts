import type { Db } from 'mongodb';
import type { Renewal } from '../../../platform/renewal.ts';
import { type KeyRing, seal, unseal } from '../../../platform/secrets.ts';
import { WALLET_CERTIFICATES, type WalletCertificateSecret } from './wallet-certificate.ts';

/** Seals the private keys of certificates anew. */
export const createCertificateRenewal = (db: Db, sealing: KeyRing): Renewal => ({
  what: 'wallet certificates',
  async run() {
    const certificates = db.collection<{ _id: string; secret: WalletCertificateSecret }>(
      WALLET_CERTIFICATES.collection,
    );
    let renewed = 0;
    for await (const { _id, secret } of certificates.find({}, { projection: { secret: 1 } })) {
      const sealed = secret.sealedPrivateKey;
      if (sealed === null || sealed.keyId === sealing.current.id) continue;
      const sealedPrivateKey = seal(sealing, unseal(sealing, sealed));
      // A certificate that was removed in between stays destroyed.
      const { modifiedCount } = await certificates.updateOne(
        { _id, 'secret.sealedPrivateKey.nonce': sealed.nonce },
        { $set: { 'secret.sealedPrivateKey': sealedPrivateKey } },
      );
      renewed += modifiedCount;
    }
    return { renewed, left: [] };
  },
});
