// Runs the library in workers, so that no search freezes the page.

const inflated = (stream, type) =>
  new Response(stream.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });

// Unpacks what the page holds in an element.
const unpacked = (id, type) => {
  const packed = atob(document.getElementById(id).textContent);
  const bytes = new Uint8Array(packed.length);
  // `Uint8Array.from` would take ten times as long.
  for (let place = 0; place < bytes.length; place += 1) bytes[place] = packed.charCodeAt(place);
  return inflated(new Blob([bytes]).stream(), type);
};

export const data = () => unpacked("data", "application/json").json();

// The library is in the page or, on a server, in a file beside it.
async function solver() {
  const { file } = document.getElementById("library").dataset;
  if (!file) return unpacked("library", "application/wasm");
  const loaded = await fetch(file);
  if (!loaded.ok) throw new Error(`the solver is missing: ${file}`);
  return inflated(loaded.body, "application/wasm");
}

// The solver is loaded after the first picture, which should not wait for it.
export let begin;
export const module = new Promise((done) => (begin = done)).then(() => WebAssembly.compileStreaming(solver()));
const script = new Blob([document.getElementById("worker").textContent], { type: "text/javascript" });
const address = URL.createObjectURL(script);

export const SUPERSEDED = "superseded";

// A worker that answers questions one after another. Stopping the worker ends its current search.
class Library {
  #worker = null;
  #waiting = new Map();
  #last = 0;

  // Returns the answer. Rejects with an `Error`, also if there is no answer after `seconds`.
  async ask(question, seconds = 60) {
    const compiled = await module;
    const worker = (this.#worker ??= this.#start(compiled));
    const id = ++this.#last;
    const answer = await new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.stop("this takes too long"), 1000 * seconds);
      this.#waiting.set(id, { resolve, reject, timer });
      worker.postMessage({ id, question });
    });
    if (answer.error) throw new Error(answer.error);
    return answer;
  }

  get isBusy() {
    return this.#waiting.size > 0;
  }

  stop(why = SUPERSEDED) {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new Error(why));
    }
    this.#waiting.clear();
  }

  #start(compiled) {
    const worker = new Worker(address);
    worker.postMessage({ module: compiled });
    worker.onmessage = ({ data: { id, answer } }) => {
      const { resolve, timer } = this.#waiting.get(id) ?? {};
      clearTimeout(timer);
      this.#waiting.delete(id);
      resolve?.(answer);
    };
    // The library has run out of memory or has a bug. The next question starts a new worker.
    worker.onerror = (event) => {
      event.preventDefault();
      this.stop("this board is too large for the memory of this page");
    };
    return worker;
  }
}

// One worker answers quick questions, one searches, and one gives advice.
export const [table, searcher, coach] = [new Library(), new Library(), new Library()];

export const isNews = (error) => error.message !== SUPERSEDED;
