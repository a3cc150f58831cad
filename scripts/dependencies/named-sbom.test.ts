import { namedSbom } from './named-sbom.ts';

it('names the program in a list of packages, and changes nothing else', () => {
  const listed = (name: string) => ({
    bomFormat: 'CycloneDX',
    metadata: { component: { 'bom-ref': 'portico@1.1.0', name, version: '1.1.0' } },
    components: [{ name: 'express' }],
  });
  const named = namedSbom(JSON.stringify(listed('a-folder')), 'portico');
  expect(JSON.parse(named)).toEqual(listed('portico'));
});
