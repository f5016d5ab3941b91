import { spawn, type ChildProcess } from 'node:child_process'
import type { Writable } from 'node:stream'

let guardInput: Writable | undefined

/**
 * Ensures that a child does not outlive this process, however it ends: a shell has the list of all living
 * children and kills them when its standard input closes.
 */
export function guardProcess(child: ChildProcess): void {
  guardInput ??= startGuard()
  const input = guardInput
  const { pid } = child
  if (pid === undefined) return
  input.write(`start ${pid}\n`)
  child.once('exit', () => input.write(`end ${pid}\n`))
}

function startGuard(): Writable {
  const script = `
    live=' '
    while read -r action pid; do
      case $action in
        start) live="$live$pid " ;;
        end) live="\${live%% $pid *} \${live#* $pid }" ;;
      esac
    done
    for pid in $live; do kill -KILL "$pid"; done`
  const shell = spawn('sh', ['-c', script, 'portbook-process-guard'], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  const input = shell.stdin as Writable & { unref(): void }
  input.unref()
  return input
}
