type Bom = { readonly metadata: { readonly component: object } };

/** The list of packages with the program's package name, in place of the folder's name that npm writes. */
export const namedSbom = (listed: string, name: string): string => {
  const bom: Bom = JSON.parse(listed);
  const { metadata } = bom;
  const named = { ...bom, metadata: { ...metadata, component: { ...metadata.component, name } } };
  return `${JSON.stringify(named, null, 2)}\n`;
};
