import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Problem } from './api/problem.ts'
import { Toasts } from './parts/toast.tsx'
import { newRouter } from './routes.tsx'
import { ConnectionNotice } from './shell/connection-notice.tsx'
import './theme.css'

const RETRIES_MAX = 3

// Where a library must add a style of its own, the page's policy lets it in by this word.
const nonce = document.querySelector('meta[name=csp-nonce]')?.getAttribute('content')
if (nonce !== null && nonce !== undefined) setNonce(nonce)

const queries = new QueryClient({
  defaultOptions: {
    // Without a network a change fails at once, so that the page can report it.
    mutations: { networkMode: 'always' },
    queries: {
      staleTime: 10_000,
      // An error response is final; requests to an unavailable or overloaded server are retried.
      retry: (count, error) =>
        count < RETRIES_MAX && error instanceof Problem && [0, 429, 503].includes(error.status),
    },
  },
})

const place = document.getElementById('root')
if (place === null) throw new Error('the page has no place for its content')
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Toasts>
        <RouterProvider router={newRouter(queries)} />
        <ConnectionNotice />
      </Toasts>
    </QueryClientProvider>
  </StrictMode>,
)
