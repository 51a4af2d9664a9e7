// Answers questions with the library. The build puts the JavaScript glue before this code.
let ready;

onmessage = ({ data: { module, id, question } }) => {
  if (module) {
    wasm_bindgen.initSync({ module });
    ready = true;
    return;
  }
  const answer = ready ? JSON.parse(wasm_bindgen.ask(JSON.stringify(question))) : { error: "not ready" };
  postMessage({ id, answer });
};
