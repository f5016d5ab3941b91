import { useEffect, type ReactNode } from 'react'
import { Mark } from './mark.tsx'

interface OutsidePageProps {
  title: string
  /** One or two sentences below the title. */
  lead?: ReactNode
  children: ReactNode
  /** A line below the box. */
  foot?: ReactNode
}

/** The frame of the pages outside the catalog: the product, a title, one task. */
export function OutsidePage({ title, lead, children, foot }: OutsidePageProps) {
  useEffect(() => {
    document.title = `${title} · Portbook`
  }, [title])
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-[27rem] grid-cols-[minmax(0,1fr)] content-start gap-6 px-4 py-10 sm:pt-[14vh]">
      <div className="flex items-center gap-3 px-1">
        <Mark size={36} />
        <div>
          <div className="text-lg leading-tight font-semibold tracking-tight">Portbook</div>
          <div className="text-sm text-muted">The catalog of your data products</div>
        </div>
      </div>
      <div className="rounded-lg border border-line bg-surface p-6 shadow-raised">
        <h1 className="user-text text-xl">{title}</h1>
        {lead !== undefined && <div className="user-text mt-1 text-muted">{lead}</div>}
        <div className="mt-5 grid gap-4">{children}</div>
      </div>
      {foot !== undefined && <div className="px-1 text-sm text-muted">{foot}</div>}
    </main>
  )
}
