import type { MerchantId } from './ids.ts';
import { createTenantTeller, GATEWAY_TENANT, tenantShownBy } from './tenant.ts';

const findTenant = async (id: MerchantId) => (id === 'mer_sub' ? 'mer_master' : null);

describe('the tenant of a document', () => {
  it.each([
    [
      'a record of a sub-merchant',
      { id: 'chg_1', merchantId: 'mer_sub', masterId: 'mer_master' },
      'mer_master',
    ],
    ['a record of any other merchant', { id: 'chg_1', merchantId: 'mer_1', masterId: null }, 'mer_1'],
    ['a sub-merchant', { id: 'mer_sub', masterId: 'mer_master' }, 'mer_master'],
    ['a master', { id: 'mer_master', masterId: null }, 'mer_master'],
    ['a notification of a provider', { id: 'pno_1', merchantId: null }, 'pno_1'],
    ['stray money of nobody', { id: 'sus_1', merchantId: null }, GATEWAY_TENANT],
    ['stray money of a merchant', { id: 'sus_1', merchantId: 'mer_1' }, null],
    ['a record that does not name the master', { id: 'cba_1', merchantId: 'mer_sub' }, null],
    ['an operator', { id: 'usr_1', merchantId: null, masterId: null }, null],
  ])('is shown by %s', (_, document, tenant) => {
    expect(tenantShownBy(document)).toBe(tenant);
  });

  it('is that of its merchant where the document does not name the master', async () => {
    const tenants = createTenantTeller(findTenant, null);
    await expect(tenants.tell({ id: 'cba_1', merchantId: 'mer_sub' })).resolves.toBe('mer_master');
  });

  it('is that of the documents before it where it names no merchant that is stored', async () => {
    const tenants = createTenantTeller(findTenant, null);
    tenants.see({ id: 'chg_1', merchantId: 'mer_new', masterId: 'mer_master' });
    await expect(tenants.tell({ id: 'key_1', merchantId: 'mer_new' })).resolves.toBe('mer_master');
    await expect(tenants.tell({ id: 'jrn_1' })).resolves.toBe('mer_master');
  });

  it("is the caller's before any document tells, and else the gateway's", async () => {
    await expect(createTenantTeller(findTenant, 'mer_1').tell({ id: 'jrn_1' })).resolves.toBe('mer_1');
    await expect(createTenantTeller(findTenant, null).tell({ id: 'grp_1' })).resolves.toBe(GATEWAY_TENANT);
  });
});
