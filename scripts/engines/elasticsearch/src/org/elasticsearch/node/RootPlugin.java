package org.elasticsearch.node;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.lucene.util.Version;
import org.elasticsearch.Build;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.cluster.node.DiscoveryNodes;
import org.elasticsearch.features.NodeFeature;
import org.elasticsearch.plugins.ActionPlugin;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestResponse;
import org.elasticsearch.rest.RestStatus;

/** Answers GET and HEAD /, which the module rest-root serves in a full distribution (it is not published as a jar). */
public class RootPlugin extends Plugin implements ActionPlugin {
    @Override
    public Collection<RestHandler> getRestHandlers(
        RestHandlersServices services, Supplier<DiscoveryNodes> nodes, Predicate<NodeFeature> features
    ) {
        return List.of(new BaseRestHandler() {
            @Override
            public String getName() {
                return "root";
            }

            @Override
            public List<Route> routes() {
                return List.of(new Route(RestRequest.Method.GET, "/"), new Route(RestRequest.Method.HEAD, "/"));
            }

            @Override
            protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
                return channel -> channel.sendResponse(new RestResponse(RestStatus.OK, "application/json", body()));
            }
        });
    }

    private static String body() {
        Build build = Build.current();
        return """
            {
              "name": "portico", "cluster_name": "portico", "cluster_uuid": "portico",
              "version": {
                "number": "%s", "build_flavor": "default", "build_type": "jar", "build_hash": "%s", "build_date": "%s",
                "build_snapshot": false, "lucene_version": "%s",
                "minimum_wire_compatibility_version": "%s", "minimum_index_compatibility_version": "%s"
              },
              "tagline": "You Know, for Search"
            }
            """.formatted(
                build.version(), build.hash(), build.date(), Version.LATEST,
                build.minWireCompatVersion(), build.minIndexCompatVersion()
            );
    }
}
