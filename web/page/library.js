// The library in workers, so that no search freezes the page.

const unpacked = async (id) => {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
};

export const data = () => unpacked("data").then((response) => response.json());

const module = unpacked("library").then(async (response) => WebAssembly.compile(await response.arrayBuffer()));
const script = new Blob([document.getElementById("worker").textContent], { type: "text/javascript" });
const address = URL.createObjectURL(script);

export const SUPERSEDED = "superseded";

// A worker that answers one question after the other. Stopping it ends the search that runs.
export class Library {
  #worker = null;
  #waiting = new Map();
  #last = 0;

  // Rejects with an `Error`. `seconds` is the time after which a question counts as too hard.
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
    // The library ran out of memory, or has a defect. The next question starts a new worker.
    worker.onerror = (event) => {
      event.preventDefault();
      this.stop("this board is too large for the memory of this page");
    };
    return worker;
  }
}
