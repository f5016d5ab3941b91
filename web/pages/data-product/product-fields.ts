/** The order in which ODPS documents are usually written: new fields find their place by it. */
export const PRODUCT_FIELDS: readonly string[] = (
  'apiVersion kind id name deprecated synonyms version status type domain context tenant description tags ' +
  'customProperties authoritativeDefinitions inputPorts outputPorts managementPorts support team productCreatedTs'
).split(' ')

/** The texts of a description, in their customary order. */
export const DESCRIPTION_FIELDS: readonly string[] = ['purpose', 'limitations', 'usage']
