type Sentence = (address: string) => string

const getNoRoute: Sentence = (address) => `There is no route to ${address}.`
const getUnresolved: Sentence = (address) =>
  `The host name of ${address} cannot be resolved at the moment.`

const SENTENCES: ReadonlyMap<string, Sentence> = new Map([
  ['ECONNREFUSED', (address) => `Nothing listens at ${address}.`],
  ['ENOTFOUND', (address) => `The host name of ${address} is unknown.`],
  ['EAI_AGAIN', getUnresolved],
  ['EHOSTUNREACH', getNoRoute],
  ['ENETUNREACH', getNoRoute],
  ['EHOSTDOWN', getNoRoute],
  ['EADDRNOTAVAIL', (address) => `This machine has no address from which it can reach ${address}.`],
  ['ETIMEDOUT', (address) => `${address} did not answer in time.`],
])

/**
 * Finds the sentence for the code of an error of a socket or of the name resolution: why an address, a host
 * with or without a port, could not be reached. Undefined for other errors.
 */
export function findNetworkSentence(code: string): Sentence | undefined {
  return SENTENCES.get(code) ?? (code.startsWith('EAI_') ? getUnresolved : undefined)
}
