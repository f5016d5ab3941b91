import { newTable } from '../../formats/name/table.ts'

const SENTENCES = newTable<(address: string) => string>({
  ECONNREFUSED: (address) => `Nothing listens at ${address}.`,
  ENOTFOUND: (address) => `The host name of ${address} is unknown.`,
  EAI_AGAIN: (address) => `The host name of ${address} cannot be resolved at the moment.`,
  EHOSTUNREACH: (address) => `There is no route to ${address}.`,
  ENETUNREACH: (address) => `There is no route to ${address}.`,
  EHOSTDOWN: (address) => `There is no route to ${address}.`,
  EADDRNOTAVAIL: (address) => `This machine has no address from which it can reach ${address}.`,
  ETIMEDOUT: (address) => `${address} did not answer in time.`,
})

/**
 * Finds the sentence for the code of an error of a socket or of the name resolution: why an address, a host
 * with or without a port, could not be reached. Undefined for other errors.
 */
export function findNetworkSentence(code: string): ((address: string) => string) | undefined {
  return SENTENCES[code] ?? (code.startsWith('EAI_') ? SENTENCES['EAI_AGAIN'] : undefined)
}
