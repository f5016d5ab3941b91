import type { LoadedPort } from './port-names.ts'

/** The steps after the request. */
export function NextSteps({ ports }: { ports: readonly LoadedPort[] }) {
  const loaded = ports.filter((port) => port !== undefined)
  const isAtOnce = loaded.some(({ port }) => port.isAutoApproved)
  const isDecided = loaded.some(({ port }) => !port.isAutoApproved)
  if (loaded.length === 0) return null
  return (
    <section aria-labelledby="next-steps" className="grid gap-1 text-muted">
      <h2 id="next-steps" className="text-base text-ink">
        What happens next
      </h2>
      <ul className="list-disc pl-5">
        {isAtOnce && <li>Ports that are granted at once are active from the first day.</li>}
        {isDecided && (
          <li>
            The owning team approves or rejects the request, and may change its dates and roles. You
            see the decision and its reason in My data.
          </li>
        )}
        {ports.length > 1 && <li>Each output port becomes an agreement of its own.</li>}
        <li>Approved access is set up by the connectors of the platform.</li>
      </ul>
    </section>
  )
}
