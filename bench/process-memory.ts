import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/** The memory of a process and all its descendants, in MB of 10⁶ bytes. */
export interface TreeMemory {
  totalMb: number
  processesCount: number
  /** By the name of the program: `node`, `postgres`, the shell. */
  byProgram: Readonly<Record<string, number>>
}

/**
 * Reads the proportional set sizes of a process tree from /proc. A page that several of its processes share
 * counts once in total; a page that is shared with a process outside the tree counts in part.
 */
export function readTreeMemory(root: number): TreeMemory {
  const byProgram: Record<string, number> = {}
  let totalMb = 0
  let processesCount = 0
  for (const pid of listTree(root)) {
    const memory = readProcess(pid)
    if (memory === undefined) continue
    const { program, megabytes } = memory
    byProgram[program] = (byProgram[program] ?? 0) + megabytes
    totalMb += megabytes
    processesCount += 1
  }
  return { totalMb, processesCount, byProgram }
}

// Returns undefined if the process has ended.
function readProcess(pid: number): { program: string; megabytes: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const kibibytes = Number(/^Pss:\s+(\d+)/m.exec(text)?.[1])
    const program = basename(readlinkSync(`/proc/${pid}/exe`))
    return { program, megabytes: (kibibytes * 1024) / 1e6 }
  } catch {
    return undefined
  }
}

function listTree(root: number): number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const children = Map.groupBy(processes.map(Number), readParent)
  const descend = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(descend)]
  return descend(root)
}

function readParent(pid: number): number | undefined {
  try {
    // The program's name precedes these fields and may contain any character.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    return Number(fields?.[1])
  } catch {
    return undefined
  }
}
