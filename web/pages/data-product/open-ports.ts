/** The parts of a port by which an address names it. */
interface NamedPort {
  /** Unique in the product. */
  key: string
  /** The id, which versions of a port share. */
  id: string
}

/** Returns how the address of a page names a port: by its id if no other port has it. */
export function getPortName(port: NamedPort, ports: readonly NamedPort[]): string {
  return ports.some(({ id, key }) => id === port.id && key !== port.key) ? port.key : port.id
}

/** Returns whether the address names a port. An id opens every version of the port. */
export function isPortOpen(open: readonly string[], { id, key }: NamedPort): boolean {
  return open.includes(id) || open.includes(key)
}

/** Returns the names of the open ports after one was opened or folded. */
export function togglePort(
  open: readonly string[],
  port: NamedPort,
  ports: readonly NamedPort[],
): string[] {
  if (!isPortOpen(open, port)) return [...open, getPortName(port, ports)]
  // The other versions of the port stay open.
  const others = ports
    .filter((one) => one.key !== port.key && one.id === port.id && isPortOpen(open, one))
    .map((one) => getPortName(one, ports))
  const rest = open.filter((name) => name !== port.id && name !== port.key)
  return [...new Set([...rest, ...others])]
}

/** The texts of a port that a filter compares. */
interface FilteredPort {
  name: string
  version?: string
  type?: string
  description?: string
  contractId?: string
  synonyms?: readonly string[]
  tags: readonly string[]
}

/** Returns whether a filter matches a port: each of its words is in one of the port's texts. */
export function matchesFilter(filter: string, port: FilteredPort): boolean {
  const { name, version, type, description, contractId, synonyms = [], tags } = port
  const text = [name, version, type, description, contractId, ...synonyms, ...tags]
    .join('\n')
    .toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
