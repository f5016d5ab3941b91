import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.openapitools.client.ApiClient;

/**
 * Reads responses into the classes of a generated client, as strictly as Jackson can. A request is a line of standard
 * input, and its answer a line of standard output, both JSON:
 *
 *   {"operation": "getTeam", "text": "{...}"}
 *   {} or {"error": "..."}
 *
 * The arguments are the names of the generated classes with operations.
 */
class ReadAnswers {

  public static void main(String[] groups) throws Exception {
    var methods = new HashMap<String, Method>();
    for (var group : groups) {
      for (var method : Class.forName("org.openapitools.client.api." + group).getDeclaredMethods()) {
        if (Modifier.isPublic(method.getModifiers())) methods.put(method.getName(), method);
      }
    }
    var mapper = newStrictMapper();
    var plain = new ObjectMapper();
    var output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = input.readLine()) != null; ) {
      output.println(plain.writeValueAsString(read(mapper, methods, plain.readTree(line))));
    }
  }

  private static ObjectMapper newStrictMapper() {
    var mapper = new ApiClient().getObjectMapper();
    mapper.enable(
        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
        DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS,
        DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    mapper.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT);
    mapper.configure(MapperFeature.ALLOW_COERCION_OF_SCALARS, false);
    return mapper;
  }

  private static Map<String, String> read(ObjectMapper mapper, Map<String, Method> methods, JsonNode request) {
    var method = methods.get(request.get("operation").asText());
    if (method == null) return Map.of("error", "no such operation");
    try {
      mapper.readValue(request.get("text").asText(), mapper.constructType(method.getGenericReturnType()));
      return Map.of();
    } catch (Exception error) {
      return Map.of("error", String.valueOf(error.getMessage()));
    }
  }
}
