import { hash } from 'node:crypto'
import type { Connector, Setup } from '../../connectors/connector.ts'

const CHARACTERS = 16

/**
 * Identifies how assets are read: the versions of assets that were read with another connector or
 * configuration are not compared.
 */
export function identifyReading(
  { description: { readingVersion } }: Connector,
  { configuration }: Pick<Setup, 'configuration'>,
): string {
  const fields = Object.entries(configuration).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return hash('sha256', JSON.stringify([readingVersion, fields])).slice(0, CHARACTERS)
}
